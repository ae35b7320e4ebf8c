/** The folder of the migrations: beside this file, both in the source and in the build. */
import { fileURLToPath } from 'node:url'

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))
