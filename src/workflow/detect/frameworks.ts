/**
 * Frameworks, by the packages that they come in.
 * Rule: where one is built on another (Next.js on React), the one on top stands first.
 */

/** A framework's name and the packages that mean that it is used; a `*` at the end stands for any ending. */
type Framework = readonly [name: string, ...packages: string[]];

/** Frameworks of npm's and JSR's packages. */
export const JAVASCRIPT_FRAMEWORKS: readonly Framework[] = [
  ["Next.js", "next"],
  ["Nuxt", "nuxt"],
  ["SvelteKit", "@sveltejs/kit"],
  ["Remix", "@remix-run/react", "@remix-run/node"],
  ["React Router", "@react-router/node", "@react-router/dev"],
  ["Astro", "astro"],
  ["Gatsby", "gatsby"],
  ["Fresh", "fresh", "@fresh/core", "$fresh/*"],
  ["Expo", "expo"],
  ["React Native", "react-native"],
  ["NestJS", "@nestjs/core"],
  ["Angular", "@angular/core"],
  ["Qwik", "@builder.io/qwik", "@qwik.dev/core"],
  ["SolidJS", "solid-js"],
  ["Svelte", "svelte"],
  ["Vue", "vue"],
  ["Preact", "preact"],
  ["React", "react"],
  ["Lit", "lit"],
  ["Electron", "electron"],
  ["Hono", "hono", "@hono/hono"],
  ["Fastify", "fastify"],
  ["Koa", "koa"],
  ["Oak", "oak", "@oak/oak"],
  ["Elysia", "elysia"],
  ["AdonisJS", "@adonisjs/core"],
  ["Express", "express"],
  ["Lume", "lume/*"],
];

export const PYTHON_FRAMEWORKS: readonly Framework[] = [
  ["Django", "django"],
  ["FastAPI", "fastapi"],
  ["Flask", "flask"],
  ["Starlette", "starlette"],
  ["Litestar", "litestar"],
  ["Tornado", "tornado"],
  ["aiohttp", "aiohttp"],
  ["Pyramid", "pyramid"],
  ["Streamlit", "streamlit"],
];

export const RUST_FRAMEWORKS: readonly Framework[] = [
  ["Tauri", "tauri"],
  ["Leptos", "leptos"],
  ["Dioxus", "dioxus"],
  ["Bevy", "bevy"],
  ["Axum", "axum"],
  ["Actix Web", "actix-web"],
  ["Rocket", "rocket"],
  ["Warp", "warp"],
  ["Yew", "yew"],
];

export const GO_FRAMEWORKS: readonly Framework[] = [
  ["Gin", "github.com/gin-gonic/gin"],
  ["Echo", "github.com/labstack/echo*"],
  ["Fiber", "github.com/gofiber/fiber*"],
  ["Chi", "github.com/go-chi/chi*"],
  ["Gorilla", "github.com/gorilla/mux"],
  ["Cobra", "github.com/spf13/cobra"],
];

/** By Maven's `groupId:artifactId`, or a Gradle plugin's ID. */
export const JVM_FRAMEWORKS: readonly Framework[] = [
  ["Spring Boot", "org.springframework.boot*"],
  ["Quarkus", "io.quarkus*"],
  ["Micronaut", "io.micronaut*"],
  ["Ktor", "io.ktor*"],
  ["Android", "com.android.application", "com.android.library"],
  ["Jakarta EE", "jakarta.platform*"],
];

export const RUBY_FRAMEWORKS: readonly Framework[] = [
  ["Rails", "rails"],
  ["Hanami", "hanami"],
  ["Sinatra", "sinatra"],
  ["Roda", "roda"],
  ["Jekyll", "jekyll"],
];

export const PHP_FRAMEWORKS: readonly Framework[] = [
  ["Laravel", "laravel/framework"],
  ["Symfony", "symfony/framework-bundle"],
  ["Slim", "slim/slim"],
  ["CakePHP", "cakephp/cakephp"],
  ["Yii", "yiisoft/yii2"],
  ["Drupal", "drupal/core*"],
];

/** The names of the frameworks that are among `packages`, in the order of `frameworks`. */
export function frameworksAmong(
  packages: Iterable<string>,
  frameworks: readonly Framework[],
): string[] {
  const used = [...packages];
  const isUsed = (pattern: string) =>
    pattern.endsWith("*")
      ? used.some((name) => name.startsWith(pattern.slice(0, -1)))
      : used.includes(pattern);
  return frameworks.flatMap(([name, ...patterns]) => patterns.some(isUsed) ? [name] : []);
}
