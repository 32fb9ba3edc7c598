/** Numbers of one text vector. */
export const DIMENSIONS = 256;
