import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
// Inside the project, so that `quire` resolves as it does for the author of a plugin.
const scratch = join(root, 'test/docs/.examples')

const importPlugin = "import invoices from './plugins/invoices.ts'\n"

/** Where a name that an example uses without importing it comes from. */
let homes: ReadonlyMap<string, string>

before(async () => {
  homes = await findHomes()
  await mkdir(join(scratch, 'plugins'), { recursive: true })
  await writeFile(join(scratch, 'plugins/invoices.ts'), "export { default } from '../../../../examples/invoices/invoices.ts'\n")
  const config = { extends: '../../../tsconfig.json', include: ['*.ts'], compilerOptions: { noUnusedLocals: false } }
  await writeFile(join(scratch, 'tsconfig.json'), JSON.stringify(config))
})
after(() => rm(scratch, { recursive: true, force: true }))

describe('the examples', () => {
  test('of the guide for plugin authors and in the comments of the sources compile as they stand', async () => {
    // All at once: the compiler reads every source for the first of them.
    await writeGuideExamples()
    await writeCommentExamples()
    await compile()
  })
})

async function writeGuideExamples(): Promise<void> {
  const text = await readFile(join(root, 'docs/extending.md'), 'utf8')
  const examples = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  assert.ok(examples.length >= 6)
  for (const [index, code] of examples.entries()) {
    const usesPlugin = /\binvoices\b(?!')/.test(code) && !isOwn('invoices', code)
    await writeFile(join(scratch, `guide-${index + 1}.ts`), `${usesPlugin ? importPlugin : ''}${code}\nexport {}\n`)
  }
}

async function writeCommentExamples(): Promise<void> {
  const examples: string[] = []
  for await (const file of glob('src/**/*.ts', { cwd: root })) {
    const text = await readFile(join(root, file), 'utf8')
    for (const [, comment = ''] of text.matchAll(/^ \* @example\n((?: \*(?: .*)?\n)+?) (?:\*\/|\* @)/gm)) {
      examples.push(comment.replace(/^ \* ?/gm, ''))
    }
  }
  assert.ok(examples.length >= 10)
  for (const [index, code] of examples.entries()) await writeExample(`comment-${index + 1}`, code)
}

async function writeExample(name: string, code: string): Promise<void> {
  const missing = [...homes].filter(([word]) => new RegExp(`(?<![.\\w'-])${word}(?![\\w':-])`).test(code) && !isOwn(word, code))
  const imports = missing.map(([word, home]) => `import { ${word} } from '${home}'\n`)
  const plugin = /\binvoices\b(?!')/.test(code) ? importPlugin : ''
  await writeFile(join(scratch, `${name}.ts`), `${imports.join('')}${plugin}${code}\nexport {}\n`)
}

/** Whether the code declares or imports the name itself. */
function isOwn(word: string, code: string): boolean {
  return new RegExp(`(const|function|type|interface) ${word}\\b|import [^\\n]*\\b${word}\\b`).test(code)
}

async function findHomes(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for await (const file of glob('src/**/*.ts', { cwd: root, exclude: (name) => String(name).endsWith('.test.ts') })) {
    const text = await readFile(join(root, file), 'utf8')
    for (const [, word = ''] of text.matchAll(/^export (?:const|function|async function|type|interface|class) (\w+)/gm)) {
      if (!found.has(word)) found.set(word, relative(scratch, join(root, file)))
    }
  }
  const published = await readFile(join(root, 'src/index.ts'), 'utf8')
  for (const [, names = ''] of published.matchAll(/export (?:type )?\{([^}]+)\}/g)) {
    for (const name of names.split(',')) found.set(name.replace('type ', '').trim(), 'quire')
  }
  return found
}

async function compile(): Promise<void> {
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), [
    '--noEmit',
    '--verbatimModuleSyntax',
    'false',
    '-p',
    scratch,
  ]).catch((error: { stdout: string }) => assert.fail(error.stdout))
}
