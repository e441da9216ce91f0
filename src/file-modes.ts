/** Permissions of our files and folders. */

export const ownerOnly = 0o600;
export const folderOwnerOnly = 0o700;

/** The permission bits of a mode. */
export const permissionBits = 0o777;
