/** Bundles some packages that compiled files import into one folder beside them, with the licences of what it takes. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, type Rolldown } from 'vite'

const specifiers = /(\bfrom\s*|\bimport\s*|\bimport\(\s*|\brequire\(\s*)(['"])([^'"\n]+)\2/g
const packageOf = (specifier: string): string => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
const fileOf = (specifier: string): string => specifier.replaceAll('@', '').replaceAll('/', '-')

type IsBundled = (name: string) => boolean

const isWanted = (specifier: string, isBundled: IsBundled): boolean =>
  !specifier.startsWith('.') && !specifier.startsWith('node:') && isBundled(packageOf(specifier))

/** The folder of the package that a file belongs to. */
const folderOf = (file: string): string | undefined =>
  /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]

const licenceOf = (folder: string): string => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder })
  return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`
}

/** Throws if compiled files would miss something: the bundles may import only what stays a dependency. */
export const vendor = async (
  dist: string,
  isBundled: IsBundled,
  dependencies: readonly string[],
): Promise<void> => {
  const files = globSync('**/*.js', { cwd: dist, exclude: ['web/**'] }).map(name => join(dist, name))
  const texts = new Map(files.map(file => [file, readFileSync(file, 'utf8')]))
  const found = [...texts.values()].flatMap(text => [...text.matchAll(specifiers)].map(match => match[3]!))
  const entries = [...new Set(found.filter(specifier => isWanted(specifier, isBundled)))]
  const folder = join(dist, 'vendor')
  const { output } = (await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      target: 'node22',
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map(entry => [fileOf(entry), entry])),
        external: id => !id.startsWith('.') && !id.startsWith('/') && dependencies.includes(packageOf(id)),
        output: { entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
        preserveEntrySignatures: 'strict',
      },
    },
    ssr: { noExternal: true },
  })) as Rolldown.RolldownOutput
  for (const [file, text] of texts) {
    const rewritten = text.replaceAll(specifiers, (whole, before: string, quote: string, to: string) => {
      if (!entries.includes(to)) return whole
      const path = relative(dirname(file), join(folder, `${fileOf(to)}.js`))
      return `${before}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`
    })
    if (rewritten !== text) writeFileSync(file, rewritten)
  }
  const modules = output.flatMap(chunk => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  const taken = [...new Set(modules.flatMap(id => folderOf(id) ?? []))].filter(existsSync).sort()
  writeFileSync(join(folder, 'LICENSES.txt'), taken.map(licenceOf).join(`\n${'-'.repeat(80)}\n\n`))
}
