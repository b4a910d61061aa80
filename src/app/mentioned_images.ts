/**
 * Pictures that a message mentions: `@shot.png`.
 * Rule: a file of the project that is a picture by its bytes goes along; one that cannot is said, and the words stay.
 */
import { readablePath } from "../agent/paths.ts";
import { M31aError, messageOf, UsageError } from "../platform/errors.ts";
import { type Image, MAX_IMAGE_BYTES, toImage } from "../session/images.ts";

/** How many pictures one message takes along. */
const MAX_IMAGES = 20;

const MENTION = /(?<![^\s("'`])@([^\s"'`]+\.(?:png|jpe?g|gif|webp))(?![\w/])/gi;

/**
 * The pictures that `text` mentions.
 *
 * @param root the project's root, a real path
 * @param tell is told of each that does not go along, and why
 */
export function mentionedImages(
  root: string,
  text: string,
  tell: (notice: string) => void,
): Image[] {
  const paths = [...new Set([...text.matchAll(MENTION)].map(([, path = ""]) => path))];
  for (const path of paths.slice(MAX_IMAGES)) {
    tell(`${path} does not go along: a message takes ${MAX_IMAGES} pictures.`);
  }
  return paths.slice(0, MAX_IMAGES).flatMap((path) => {
    try {
      return [readImage(root, path)];
    } catch (error) {
      if (!(error instanceof M31aError || error instanceof Deno.errors.NotFound)) throw error;
      const why = error instanceof M31aError ? messageOf(error) : "there is no such file";
      tell(`${path} does not go along as a picture: ${why}`);
      return [];
    }
  });
}

function readImage(root: string, path: string): Image {
  const { real } = readablePath(root, path);
  const { size } = Deno.statSync(real);
  if (size > MAX_IMAGE_BYTES) {
    throw new UsageError(`it has ${size} bytes, and models take up to ${MAX_IMAGE_BYTES}`);
  }
  const image = toImage(Deno.readFileSync(real));
  if (image === undefined) throw new UsageError("it is no PNG, JPEG, GIF or WebP");
  return image;
}
