package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.Architecture;
import java.util.HexFormat;

/**
 * The assembled sources of {@code src/main/asm}, by architecture. A test assembles them anew and compares; what is here is never edited
 * by hand.
 */
final class MachineCode {
    private static final String X86_64 = """
            534154415541564883ec184889fb48c70424ffffffffb80e000000bf020000004889e6488d54240841ba080000000f05\
            e87c0000004989c5b80e000000bf02000000488d74240831d241ba080000000f054c89e84883c418415e415d415c5bc3\
            488b4b40488b7b10f6c1017403488b3f488b7318f6c1027403488b36488b5320f6c1047403488b124c8b5328f6c10874\
            034d8b124c8b4330f6c11074034d8b004c8b4b38f6c12074034d8b09488b4308c3e8aaffffff4d89cd0f054885c07401\
            c331ed4d89ec4531f6498b5c24084d897424104d3b3424735ff603017529e87dfffffff6030275260f05483d01f0ffff\
            732b488b4b484885c974034889014883c36049ffc6ebc7e8a5ffffffebdc31c04839f774dd4889d048f7d8ebcd4889c1\
            48f7d94883f93f770a488b5350480fa3ca72bf49894c2418b8e7000000bf7e0000000f05f4\
            """;

    private static final String AARCH64 = """
            fd7bbca9fd030091f35301a9f55b02a9f30300aa01008092e11b00f9e81080d2400080d2e1c30091e2e30091030180d2\
            010000d41f000094f60300aae81080d2400080d2e1e30091020080d2030180d2010000d4e00316aaf55b42a9f35341a9\
            fd7bc4a8c0035fd6692240f9600641a9620e42a9641643a949000036000040f949000836210040f949001036420040f9\
            49001836630040f949002036840040f949002836a50040f9680640f9c0035fd6fd7bbfa9edffff97f60305aa010000d4\
            600000b4fd7bc1a8c0035fd61d0080d21e0080d2f40316aa150080d2930640f9950a00f9890240f9bf0209eba2030054\
            6a0240f9aa010037dcffff976a0240f98a010837010000d41ffc3fb1c2010054692640f9490000b4200100f973820191\
            b5060091efffff17e2ffff97f7ffff171f0001eb000080d2c0feff54e00302cbf2ffff17e90300cb3ffd00f188000054\
            6a2a40f94a25c99acafd0737890e00f9c80b80d2c00f80d2010000d4000020d4\
            """;

    private MachineCode() {}

    /** The code of that architecture; its entry point is the first byte, and it may lie anywhere. */
    static byte[] of(Architecture architecture) {
        return HexFormat.of()
                .parseHex(
                        switch (architecture) {
                            case X86_64 -> X86_64;
                            case AARCH64 -> AARCH64;
                        });
    }
}
