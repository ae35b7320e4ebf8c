/** For `npm run migrations`: writes the SQL that brings a database to what src/store/schema.ts says. */
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/store/schema.ts',
  out: './src/store/migrations',
})
