package dev.sandbox.app.selftest;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import java.util.Map;

/**
 * One attack.
 *
 * @param id {@code group.name}
 * @param claim what it attacks
 * @param meaning what it tries, for people
 * @param setting the policy under which it runs
 * @param command what runs
 * @param evidence how its success is seen
 * @param openings backends where it is documented to succeed although they hold what it attacks, and why
 */
record Probe(
        String id,
        Claim claim,
        String meaning,
        Setting setting,
        Command command,
        Evidence evidence,
        Map<BackendName, String> openings) {
    Probe {
        openings = Map.copyOf(openings);
    }
}
