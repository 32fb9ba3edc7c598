/** Scales a picture down to the requested size, for vendors that only make larger ones of the same shape. */

type Size = { width: number; height: number };

/** Tolerance for vendors that round the sides to steps of their own. */
const SAME_SHAPE = 0.03;

/** Decoding more would take seconds and a gigabyte: no vendor sends it, a hostile one might. */
export const MOST_PIXELS = 4_096 * 4_096;

/** Other shapes, and unreadable pictures, stay unchanged. */
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
  came.width * came.height > width * height && Math.abs(Math.log((came.width * height) / (came.height * width))) < SAME_SHAPE;
