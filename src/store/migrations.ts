/** Where the migrations are: beside this file, in the source as in the build. */
import { fileURLToPath } from 'node:url'

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))
