/**
 * .NET projects: a solution, or a project file, in the root.
 * Rule: `dotnet test` is a check only when a project refers to the test SDK.
 */
import type { DetectedCheck, DetectedEcosystem } from "./detected.ts";
import { type Manifests, placeOfLine, shellWord } from "./manifests.ts";
import { elementsNamed, parseXml, type XmlElement, XmlFault } from "./xml.ts";

const PROJECT_ENDINGS = [".csproj", ".fsproj", ".vbproj"];

const FRAMEWORKS = [
  ["Blazor", "Microsoft.AspNetCore.Components.WebAssembly"],
  ["ASP.NET Core", "Microsoft.NET.Sdk.Web"],
  ["MAUI", "Microsoft.Maui.Controls"],
  ["Avalonia", "Avalonia"],
] as const;

/** Detects a .NET solution or project. */
export function detectDotnet(manifests: Manifests): DetectedEcosystem | undefined {
  const [solution] = manifests.endingIn(".sln", ".slnx");
  const roots = manifests.endingIn(...PROJECT_ENDINGS);
  const target = solution ?? roots[0];
  if (target === undefined) return undefined;
  const paths = solution === undefined ? [target] : projectsOf(manifests.text(solution) ?? "");
  const projects = paths.flatMap((path) => readProject(manifests, path));
  const names = new Set(projects.flatMap(({ root }) => referencesOf(root)));
  const frameworks = FRAMEWORKS.flatMap(([name, key]) => names.has(key) ? [name] : []);
  const checks: DetectedCheck[] = [
    { name: "build", command: `dotnet build ${shellWord(target)}`, source: target },
  ];
  const tested = projects.find(({ root }) =>
    referencesOf(root).some((name) => name === "Microsoft.NET.Test.Sdk" || name === "MSTest.Sdk")
  );
  if (tested !== undefined) {
    const source = placeOfLine(tested.path, tested.text, (line) => /Test\.?Sdk/.test(line));
    checks.push({ name: "test", command: `dotnet test ${shellWord(target)}`, source });
  }
  return {
    type: ".NET",
    language: paths.some((path) => path.endsWith(".fsproj")) ? "F#" : "C#",
    packageManager: "nuget",
    frameworks,
    isMonorepo: paths.length > 1,
    checks,
    evidence: 10 + frameworks.length + checks.length,
  };
}

/** The project files that a solution names: in quotes, with `\` or `/` between folders. */
function projectsOf(solution: string): string[] {
  return [...solution.matchAll(/"([^"\n]+\.(?:cs|fs|vb)proj)"/g)]
    .map(([, path]) => (path ?? "").replaceAll("\\", "/"));
}

interface ReadProject {
  path: string;
  text: string;
  root: XmlElement;
}

function readProject(manifests: Manifests, path: string): ReadProject[] {
  const text = manifests.text(path);
  if (text === undefined) return [];
  try {
    return [{ path, text, root: parseXml(text) }];
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    manifests.problems.push({ path, line: error.line, reason: `not valid XML: ${error.message}` });
    return [];
  }
}

/** The SDK and the packages that a project file refers to. */
function referencesOf(root: XmlElement): string[] {
  const packages = [...elementsNamed(root, "PackageReference")].map((element) =>
    element.attributes.get("Include") ?? ""
  );
  return [(root.attributes.get("Sdk") ?? "").split("/")[0] ?? "", ...packages];
}
