/** The CARILLON_SECRET of the instances that made the backups in this folder, which hold nothing but made-up accounts. */
export const secret = "the secret of the archives in test/upgrade"
