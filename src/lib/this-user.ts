/** Which user the program runs as, for errors about rights: in a container it is seldom the one who owns the mounted folder. */

/** ` as user 65532`; nothing on Windows, where users have no numbers. */
export const asThisUser = process.getuid === undefined ? "" : ` as user ${process.getuid()}`;
