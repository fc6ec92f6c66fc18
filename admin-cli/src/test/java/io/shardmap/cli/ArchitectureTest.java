package io.shardmap.cli;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The modules are a line, and no packages depend on each other in a circle. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.shardmap");

    @Test
    void modulesUseOnlyThoseToTheirLeft() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("core")
                .definedBy(
                        "io.shardmap",
                        "io.shardmap.key..",
                        "io.shardmap.strategy..",
                        "io.shardmap.resolve..",
                        "io.shardmap.store..")
                .layer("router")
                .definedBy("io.shardmap.jdbc..")
                .layer("query")
                .definedBy("io.shardmap.query..")
                .layer("migrations")
                .definedBy("io.shardmap.migrate..")
                .layer("cli")
                .definedBy("io.shardmap.cli..")
                .layer("testkit")
                .definedBy("io.shardmap.testkit..")
                .whereLayer("core")
                .mayNotAccessAnyLayer()
                .whereLayer("testkit")
                .mayNotAccessAnyLayer()
                .whereLayer("router")
                .mayOnlyAccessLayers("core")
                .whereLayer("query")
                .mayOnlyAccessLayers("core", "router")
                .whereLayer("migrations")
                .mayOnlyAccessLayers("core", "router")
                .whereLayer("cli")
                .mayOnlyAccessLayers("core", "router", "migrations", "testkit")
                .check(CLASSES);
    }

    @Test
    void packagesOfTheRouterAndOfMigrationsFormNoCircles() {
        slices().matching("io.shardmap.jdbc.(**)").should().beFreeOfCycles().check(CLASSES);
        slices().matching("io.shardmap.migrate.(**)").should().beFreeOfCycles().check(CLASSES);
        slices().matching("io.shardmap.cli.(**)").should().beFreeOfCycles().check(CLASSES);
    }
}
