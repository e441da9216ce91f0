/** Who may read and write a file of ours, as the file system counts it. */

export const ownerOnly = 0o600;
export const folderOwnerOnly = 0o700;

/** The part of a mode that says who may do what. */
export const permissionBits = 0o777;
