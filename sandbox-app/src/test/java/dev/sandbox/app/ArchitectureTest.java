package dev.sandbox.app;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The dependency rules of docs/architecture.md, held over every module. */
@AnalyzeClasses(
        packages = "dev.sandbox",
        importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoTestJars.class})
final class ArchitectureTest {
    /** The domain's test jar holds the testkit and the tests that use it; no module ships them. */
    static final class NoTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar") && !location.contains("/test-classes/");
        }
    }

    private static final String LINUX = "dev.sandbox.linux..";
    private static final String LANDLOCK = "dev.sandbox.landlock..";
    private static final String MOUNTNS = "dev.sandbox.mountns..";
    private static final String DOCKER = "dev.sandbox.docker..";
    private static final String CORE = "dev.sandbox.core..";
    private static final String APP = "dev.sandbox.app..";

    @ArchTest
    static final ArchRule theDomainDependsOnNoOtherModule = noClasses()
            .that()
            .resideInAPackage("dev.sandbox.domain..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(LINUX, LANDLOCK, MOUNTNS, DOCKER, CORE, APP);

    @ArchTest
    static final ArchRule theDomainUsesNoFramework = noClasses()
            .that()
            .resideInAPackage("dev.sandbox.domain..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "com.fasterxml..",
                    "com.google.inject..",
                    "jakarta.inject..",
                    "picocli..",
                    "jnr..",
                    "org.slf4j..",
                    "com.github.dockerjava..");

    @ArchTest
    static final ArchRule theDomainDoesNoInputAndOutput = noClasses()
            .that()
            .resideInAPackage("dev.sandbox.domain..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels..")
                    .and(not(belongToAnyOf(java.nio.file.Path.class)))
                    .or(belongToAnyOf(
                            ProcessBuilder.class,
                            Process.class,
                            Runtime.class,
                            java.io.File.class,
                            java.io.FileInputStream.class,
                            java.io.FileOutputStream.class,
                            java.time.Clock.class)));

    @ArchTest
    static final ArchRule theDomainReadsNeitherEnvironmentNorClock = noClasses()
            .that()
            .resideInAPackage("dev.sandbox.domain..")
            .should()
            .callMethod(System.class, "getenv")
            .orShould()
            .callMethod(System.class, "getenv", String.class)
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "getProperty", String.class);

    @ArchTest
    static final ArchRule landlockSeesNoOtherAdapter = noClasses()
            .that()
            .resideInAPackage(LANDLOCK)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(MOUNTNS, DOCKER, CORE, APP);

    @ArchTest
    static final ArchRule mountnsSeesNoOtherAdapter = noClasses()
            .that()
            .resideInAPackage(MOUNTNS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(LANDLOCK, DOCKER, CORE, APP)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule dockerSeesNoOtherAdapter = noClasses()
            .that()
            .resideInAPackage(DOCKER)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(LANDLOCK, MOUNTNS, CORE, APP)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule linuxKnowsNoAdapter = noClasses()
            .that()
            .resideInAPackage(LINUX)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(LANDLOCK, MOUNTNS, DOCKER, CORE, APP);

    @ArchTest
    static final ArchRule onlyTheWiringNamesAdapters = noClasses()
            .that()
            .resideInAPackage(APP)
            .and()
            .resideOutsideOfPackage("dev.sandbox.app.wiring..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(LANDLOCK, MOUNTNS, DOCKER);

    @ArchTest
    static final ArchRule theLibraryKnowsNoServerAndNoCommandLine = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(APP, "picocli..", "com.fasterxml..", "io..", "org.slf4j..", "com.github.dockerjava..");

    /** Guice is an optional dependency: a class that names it loads only where it is. */
    @ArchTest
    static final ArchRule onlyModulesNeedGuice = noClasses()
            .that()
            .haveSimpleNameNotEndingWith("Module")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.google.inject..");

    /** sandbox-docker is, too. */
    @ArchTest
    static final ArchRule oneClassOfTheLibraryNamesContainers = noClasses()
            .that()
            .resideInAPackage(CORE)
            .and()
            .doNotHaveSimpleName("Containers")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(DOCKER);

    @ArchTest
    static final ArchRule onlyLinuxCallsLibc = noClasses()
            .that()
            .resideOutsideOfPackage(LINUX)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jnr..", "com.kenai.jffi..");

    /** But a test that needs another JVM. */
    @ArchTest
    static final ArchRule nobodyStartsProcessesByTheJdk = noClasses()
            .that()
            .resideOutsideOfPackage("dev.sandbox.testkit..")
            .should()
            .dependOnClassesThat(belongToAnyOf(ProcessBuilder.class))
            .orShould()
            .callMethod(Runtime.class, "exec", String.class)
            .orShould()
            .callMethod(Runtime.class, "exec", String[].class)
            .orShould()
            .callMethod(Runtime.class, "exec", String.class, String[].class)
            .orShould()
            .callMethod(Runtime.class, "exec", String[].class, String[].class)
            .orShould()
            .callMethod(Runtime.class, "exec", String.class, String[].class, java.io.File.class)
            .orShould()
            .callMethod(Runtime.class, "exec", String[].class, String[].class, java.io.File.class);

    /** LibC itself is package-private, so that no other package can call posix_spawn. */
    @ArchTest
    static final ArchRule posixSpawnIsCalledInLinuxAlone = methods()
            .that()
            .haveNameStartingWith("posix_spawn")
            .should()
            .onlyBeCalled()
            .byClassesThat(resideInAnyPackage("dev.sandbox.linux"))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule noBackendIsReachedAroundTheDomain = noClasses()
            .that(resideOutsideOfPackage("dev.sandbox.linux..").and(resideOutsideOfPackage("dev.sandbox.landlock..")))
            .and()
            .resideOutsideOfPackages(MOUNTNS, DOCKER)
            .should()
            .dependOnClassesThat()
            .haveSimpleName("ConfinedSpawn");

    @ArchTest
    static final ArchRule namesSayWhatAClassIs = noClasses()
            .should()
            .haveSimpleNameEndingWith("Util")
            .orShould()
            .haveSimpleNameEndingWith("Utils")
            .orShould()
            .haveSimpleNameEndingWith("Helper")
            .orShould()
            .haveSimpleNameEndingWith("Manager")
            .orShould()
            .haveSimpleNameEndingWith("Impl");

    @ArchTest
    static final ArchRule modulesAreFreeOfCycles =
            slices().matching("dev.sandbox.(*)..").should().beFreeOfCycles();
}
