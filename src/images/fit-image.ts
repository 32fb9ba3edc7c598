/** The size that was asked for, where a vendor makes larger pictures only: what came in the same shape is scaled down to it. */

type Size = { width: number; height: number };

/** Sides that vendors round to their own steps differ by less. */
const SAME_SHAPE = 0.03;

/** Decoding more would cost seconds and a gigabyte: no vendor makes it, a hostile one might. */
const MOST_PIXELS = 4_096 * 4_096;

/** Anything else, and what cannot be read, stays as it came. */
export const fitImage = async (bytes: Uint8Array, asked: Size): Promise<Uint8Array> => {
  try {
    const picture = new Bun.Image(bytes, { maxPixels: MOST_PIXELS });
    const came = await picture.metadata();
    return came.format !== "gif" && isLarger(came, asked) ? await picture.resize(asked.width, asked.height).bytes() : bytes;
  } catch {
    return bytes;
  }
};

const isLarger = (came: Size, { width, height }: Size): boolean =>
  came.width >= width &&
  came.height >= height &&
  came.width * came.height > width * height &&
  Math.abs(Math.log((came.width * height) / (came.height * width))) < SAME_SHAPE;
