/** Style sheets, which esbuild puts into a file of their own. */
declare module "*.css";
