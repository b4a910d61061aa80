/** Projects in Rust, Go, Java, Kotlin, C#, C and C++, as manifests. */
import type { Case } from "./case.ts";

export const COMPILED_CASES: readonly Case[] = [
  [
    "a Rust package",
    {
      "Cargo.toml":
        '[package]\nname = "x"\n[dependencies]\naxum = "0.8"\nactix-web = "4"\n[lints.clippy]\nall = "warn"\n',
      "Cargo.lock": "",
    },
    "Rust",
    "cargo",
    ["Axum", "Actix Web"],
    [
      "build: cargo build @ Cargo.toml:1",
      "lint: cargo clippy --all-targets @ Cargo.toml:6",
      "test: cargo test @ Cargo.toml:1",
    ],
  ],
  [
    "a Cargo workspace",
    { "Cargo.toml": '[workspace]\nmembers = ["a"]\n[workspace.dependencies]\nrocket = "1"\n' },
    "Rust (monorepo)",
    "cargo",
    ["Rocket"],
    [
      "build: cargo build --workspace @ Cargo.toml:1",
      "test: cargo test --workspace @ Cargo.toml:1",
    ],
  ],
  [
    "a Go module",
    {
      "go.mod":
        "// x\nmodule example.com/x\n\ngo 1.23\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.10.0 // y\n\tgithub.com/labstack/echo/v4 v4.1.0\n)\n",
      ".golangci.yml": "",
    },
    "Go",
    "go",
    ["Gin", "Echo"],
    [
      "build: go build ./... @ go.mod:2",
      "lint: golangci-lint run ./... @ .golangci.yml",
      "test: go test ./... @ go.mod:2",
    ],
  ],
  [
    "a Go workspace",
    {
      "go.work": "go 1.23\n\nuse (\n\t./a\n\tb c\n)\nuse ./d/\n",
      "d/go.mod": "module d\nrequire github.com/go-chi/chi/v5 v5.0.0\n",
    },
    "Go (monorepo)",
    "go",
    ["Chi"],
    [
      "build: go build ./a/... ./b/... ./d/... @ go.work:3",
      "lint: go vet ./a/... ./b/... ./d/... @ go.work:3",
      "test: go test ./a/... ./b/... ./d/... @ go.work:3",
    ],
  ],
  [
    "Maven with a wrapper, Spring Boot, modules",
    {
      "pom.xml": `<?xml version="1.0"?>
<!-- <plugin><artifactId>ktlint-maven-plugin</artifactId></plugin> -->
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent>
    <groupId>org.springframework.boot</groupId>
    <artifactId>spring-boot-starter-parent</artifactId>
  </parent>
  <modules><module>a</module></modules>
  <build><plugins>
    <plugin><groupId>com.diffplug.spotless</groupId><artifactId>spotless-maven-plugin</artifactId></plugin>
  </plugins></build>
</project>`,
      mvnw: "",
    },
    "Java (monorepo)",
    "maven",
    ["Spring Boot"],
    [
      "build: ./mvnw -B -DskipTests package @ pom.xml:3",
      "lint: ./mvnw -B spotless:check @ pom.xml:10",
      "test: ./mvnw -B test @ pom.xml:3",
    ],
  ],
  [
    "Gradle with a wrapper, Kotlin",
    {
      "build.gradle.kts":
        'plugins {\n  kotlin("jvm") version "2"\n  id("org.springframework.boot") version "3"\n  id("io.gitlab.arturbosch.detekt") version "1"\n}\n',
      "settings.gradle.kts": 'rootProject.name = "x"\ninclude("a")\n',
      gradlew: "",
    },
    "Java (Kotlin, monorepo)",
    "gradle",
    ["Spring Boot"],
    [
      "build: ./gradlew assemble @ build.gradle.kts",
      "lint: ./gradlew detekt @ build.gradle.kts:4",
      "test: ./gradlew test @ build.gradle.kts",
    ],
  ],
  [
    "Gradle without a wrapper, checkstyle",
    { "build.gradle": "plugins {\n  id 'java'\n  id 'checkstyle'\n}\n" },
    "Java",
    "gradle",
    [],
    [
      "build: gradle assemble @ build.gradle",
      "lint: gradle checkstyleMain @ build.gradle:3",
      "test: gradle test @ build.gradle",
    ],
  ],
  [
    "a .NET solution with a test project",
    {
      "My App.sln":
        'Project("{FAE}") = "Web", "src\\Web\\Web.csproj", "{1}"\nProject("{FAE}") = "T", "tests\\T\\T.csproj", "{2}"\n',
      "src/Web/Web.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>',
      "tests/T/T.csproj":
        '<Project Sdk="Microsoft.NET.Sdk">\n<ItemGroup>\n<PackageReference Include="Microsoft.NET.Test.Sdk" Version="17" />\n</ItemGroup></Project>',
    },
    ".NET (C#, monorepo)",
    "nuget",
    ["ASP.NET Core"],
    [
      "build: dotnet build 'My App.sln' @ My App.sln",
      "test: dotnet test 'My App.sln' @ tests/T/T.csproj:3",
    ],
  ],
  [
    "CMake with tests",
    {
      "CMakeLists.txt":
        "cmake_minimum_required(VERSION 3.20)\nproject(x)\n# add_test(\nenable_testing()\n",
    },
    "C/C++",
    "",
    [],
    [
      "build: cmake -S . -B build && cmake --build build @ CMakeLists.txt:2",
      "test: cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure @ CMakeLists.txt:4",
    ],
  ],
  [
    "a Makefile for C",
    {
      Makefile:
        "CC := cc\nall: main\nmain: main.c\n\t$(CC) $<\n.PHONY: check lint\ncheck:\n\t./run\n",
      "main.c": "",
    },
    "C/C++",
    "",
    [],
    ["test: make check @ Makefile:6"],
  ],
  [
    "a Makefile for C without a test",
    { Makefile: "all: main\nmain: main.c\n\t$(CC) $<\n", "main.c": "" },
    "C/C++",
    "",
    [],
    ["build: make all @ Makefile:1"],
  ],
  [
    "a Makefile beside Go: it adds only what Go lacks",
    { "go.mod": "module x\n", Makefile: "test:\n\tgo test\ntypecheck:\n\tgo vet\n" },
    "Go",
    "go",
    [],
    [
      "build: go build ./... @ go.mod:1",
      "typecheck: make typecheck @ Makefile:3",
      "lint: go vet ./... @ go.mod:1",
      "test: go test ./... @ go.mod:1",
    ],
  ],
];
