package io.shardmap.cli.command;

import io.shardmap.cli.connect.ServerLogins;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.doctor.Doctor;
import io.shardmap.migrate.doctor.Finding;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds what does not fit together. */
@Command(
        name = "doctor",
        description = {
            "Looks for everything that does not fit together in map, servers and replication, and names for each finding the"
                    + " command that mends it. Changes nothing.",
            "Ends with 0 when all is well and with 3 when something was found. What an active move is doing is no finding."
        },
        footer = {
            "  shardmap doctor",
            "  shardmap doctor --no-rows",
            "  shardmap doctor -o json | jq -r '.examination.findings[].remedy'"
        })
public final class DoctorCommand extends Verb {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private ServerLogins logins;

    @Option(
            names = "--no-rows",
            description =
                    "Does not look for rows on servers that do not own them. That is one index look-up per virtual"
                            + " shard, or a scan of each sharded table without an index on its shard column.")
    private boolean noRows;

    private record Row(Finding.Rule rule, String where, List<Integer> virtualShards, String found, String remedy) {
        static Row of(Finding finding) {
            return new Row(finding.rule(), finding.where(), finding.virtualShards(), finding.found(), finding.remedy());
        }
    }

    private record Result(List<String> maps, List<String> servers, boolean clean, List<Row> findings) {}

    @Override
    int run() {
        try (ServerPools pools = logins.pools()) {
            Doctor.Examination examination = new Doctor(database.store(), pools).examine(!noRows);
            List<Row> findings = examination.findings().stream().map(Row::of).toList();
            print(new Result(examination.maps(), examination.servers(), findings.isEmpty(), findings));
            return findings.isEmpty() ? ExitCodes.DONE : ExitCodes.DRIFT;
        }
    }

    private void print(Result result) {
        switch (output.format()) {
            case JSON -> output.data().one("examination", result);
            case CSV -> output.data().list("findings", Row.class, result.findings());
            case TABLE -> printForPeople(result);
        }
    }

    private void printForPeople(Result result) {
        PrintWriter out = command.commandLine().getOut();
        out.println("examined " + count(result.maps(), "map") + " on " + count(result.servers(), "server") + ": "
                + (result.clean() ? "all is well" : count(result.findings(), "finding")));
        for (Row row : result.findings()) {
            out.println();
            out.println(row.rule() + ": " + row.where());
            out.println("  found: " + row.found());
            out.println("  mend:  " + row.remedy());
        }
        out.flush();
    }

    private static String count(List<?> things, String noun) {
        return things.size() + " " + noun + (things.size() == 1 ? "" : "s");
    }
}
