package dev.sandbox.domain;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

@AnalyzeClasses(packages = "dev.sandbox.domain", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String ROOT = "dev.sandbox.domain";

    /**
     * Who may know whom; a new arrow is a decision, not an accident. Three pairs know each other today: resolve and verdict
     * (Access asks about an Operation), isolation and result (Completion holds a Termination), and policy and resolve by way of
     * BackendName in isolation and ImpliedGuarantees in guarantee. ValueStyle, which everything carries, is left out.
     */
    private static final Map<String, Set<String>> MAY_KNOW = Map.ofEntries(
            Map.entry("path", Set.of()),
            Map.entry("problem", Set.of()),
            Map.entry("command", Set.of("problem")),
            Map.entry("policy", Set.of("path", "guarantee", "isolation")),
            Map.entry("environment", Set.of("path", "policy", "problem")),
            Map.entry("resolve", Set.of("path", "policy", "problem", "verdict")),
            Map.entry("verdict", Set.of("path", "policy", "problem", "resolve")),
            Map.entry("guarantee", Set.of("policy", "resolve")),
            Map.entry(
                    "isolation",
                    Set.of(
                            "path",
                            "policy",
                            "problem",
                            "command",
                            "environment",
                            "guarantee",
                            "resolve",
                            "result",
                            "verdict")),
            Map.entry("result", Set.of("path", "policy", "problem", "guarantee", "isolation", "verdict")));

    /** A Path is a value; what reads and writes by one is in other classes of its package. */
    @ArchTest
    static final ArchRule nothingReadsOrWritesByItself = noClasses()
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "java.net..",
                            "java.nio.file..",
                            "java.nio.channels..",
                            "java.util.logging..",
                            "javax..",
                            "sun..")
                    .and(DescribedPredicate.not(belongToAnyOf(java.nio.file.Path.class))));

    @ArchTest
    static final ArchRule noFrameworkAndNoNativeCode = classes()
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                    "java..", "dev.sandbox.domain..", "org.jspecify.annotations", "org.immutables.value"));

    @ArchTest
    static final ArchRule ofJavaIoOnlyStreamTypesAreNamed = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("java.io..").and(not("InputStream", "OutputStream", "Serializable")));

    @ArchTest
    static final ArchRule nothingStartsProcesses = noClasses()
            .should()
            .dependOnClassesThat(describe(
                    "start processes",
                    type -> Set.of("ProcessBuilder", "Process", "ProcessHandle", "Runtime")
                            .contains(type.getSimpleName())));

    @ArchTest
    static final ArchRule nothingAsksTheMachineForClockOrSettings =
            noClasses().should().callMethodWhere(describe("ask the machine", ArchitectureTest::asksTheMachine));

    @ArchTest
    static final ArchRule namesSayWhatAThingIs =
            noClasses().should().haveNameMatching(".*(Util|Utils|Helper|Helpers|Manager|Impl|Common)");

    @ArchTest
    static void packagesKnowOnlyWhomTheyMay(JavaClasses classes) {
        Map<String, Set<String>> known = new TreeMap<>();
        MAY_KNOW.keySet().forEach(name -> known.put(name, new TreeSet<>()));
        for (JavaClass type : classes) {
            if (!type.getPackageName().equals(ROOT)) {
                type.getDirectDependenciesFromSelf().stream()
                        .map(Dependency::getTargetClass)
                        .filter(target -> target.getPackageName().startsWith(ROOT))
                        .filter(target -> !target.isEquivalentTo(ValueStyle.class))
                        .map(ArchitectureTest::shortPackage)
                        .filter(name -> !name.equals(shortPackage(type)))
                        .forEach(name -> known.computeIfAbsent(shortPackage(type), absent -> new TreeSet<>())
                                .add(name));
            }
        }
        assertThat(known).isEqualTo(new TreeMap<>(MAY_KNOW));
    }

    private static String shortPackage(JavaClass type) {
        return type.getPackageName().substring(ROOT.length()).replaceFirst("^\\.", "");
    }

    private static DescribedPredicate<JavaClass> not(String... names) {
        return describe("other than " + Set.of(names), type -> !Set.of(names).contains(type.getSimpleName()));
    }

    private static boolean asksTheMachine(JavaCall<?> call) {
        String owner = call.getTargetOwner().getName();
        String method = call.getName();
        return (owner.equals("java.lang.System")
                        && Set.of(
                                        "getenv",
                                        "getProperty",
                                        "nanoTime",
                                        "currentTimeMillis",
                                        "exit",
                                        "load",
                                        "loadLibrary")
                                .contains(method))
                || (owner.startsWith("java.time") && (method.equals("now") || owner.equals("java.time.Clock")))
                || (owner.equals("java.lang.Math") && method.equals("random"))
                || (owner.equals("java.lang.Thread") && method.equals("sleep"));
    }
}
