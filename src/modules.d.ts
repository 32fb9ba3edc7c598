/** Files that travel inside the executable. */
declare module "*.sql" {
  const text: string;
  export default text;
}
declare module "*.bin" {
  const path: string;
  export default path;
}
declare module "*.html" {
  const bundle: unknown;
  export default bundle;
}
