import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { shareOwnModules } from '../own-modules.ts'
import { loadConfig, wrongConfigFile } from './config-file.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-config-'))
})
after(() => rm(folder, { recursive: true }))

/** Each file has a name of its own: a module is loaded once for each path. */
async function aConfig(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text)
  return name
}

describe('quire.config.ts', () => {
  test('is not needed', async () => {
    assert.deepEqual(await loadConfig([], {}, folder), { file: 'quire.config.ts', settings: {}, properties: {}, plugins: [] })
  })

  test('may be written in TypeScript and hold settings, properties and plugins', async () => {
    const text = `
      const port: number = 9090
      export default { settings: { port }, properties: { 'platform.cors.urls': '*' }, plugins: [{ name: 'invoices' }] }`
    const config = await loadConfig(['--config', await aConfig('whole.ts', text)], {}, folder)
    assert.deepEqual(config, {
      file: 'whole.ts',
      settings: { port: 9090 },
      properties: { 'platform.cors.urls': '*' },
      plugins: [{ name: 'invoices' }],
    })
  })

  test('is named by the flag, else by the environment, else found in the current folder', async () => {
    await aConfig('quire.config.ts', 'export default { settings: { host: "found" } }')
    await aConfig('flag.ts', 'export default { settings: { host: "flag" } }')
    await aConfig('variable.ts', 'export default { settings: { host: "variable" } }')
    const environment = { QUIRE_CONFIG: 'variable.ts' }
    assert.equal((await loadConfig(['--port', '1', '--config=flag.ts'], environment, folder)).settings['host'], 'flag')
    assert.equal((await loadConfig([], environment, folder)).settings['host'], 'variable')
    assert.equal((await loadConfig([], { QUIRE_CONFIG: '' }, folder)).settings['host'], 'found')
  })

  const wrong: readonly [string, string, RegExp][] = [
    ['exports nothing', 'export const port = 1', /must export an object as its default/],
    ['exports a list', 'export default []', /must export an object as its default/],
    ['has an unknown field', 'export default { port: 1 }', /port is not one of settings, properties, plugins/],
    ['has settings that are no object', 'export default { settings: [] }', /settings must be an object/],
    ['has properties that are no object', 'export default { properties: "a=b" }', /properties must be an object/],
    ['has plugins that are no list', 'export default { plugins: {} }', /plugins must be a list/],
    ['cannot be parsed', 'export default {', /wrong-\d+\.ts:1: SyntaxError/],
    [
      'has a mistake of syntax',
      'const a: number = 1\nexport default { a,, }',
      /wrong-\d+\.ts:2:20: SyntaxError.*Unexpected token/,
    ],
    ['has an enum', '\nenum A { b }\nexport default {}', /wrong-\d+\.ts:2:1: SyntaxError.*enum is not supported/],
    ['throws', 'throw new Error("no database\\nhere")', /wrong-\d+\.ts:1:7: Error: no database$/],
    ['imports what is not there', 'import "./absent.ts"', /Cannot find module '.*absent\.ts' imported from .*wrong-\d+\.ts$/],
    [
      'imports what a module does not export',
      '\nimport { foo } from "node:path"\nexport default { foo }',
      /wrong-\d+\.ts:2:10: SyntaxError: .*does not provide an export named 'foo'$/,
    ],
  ]
  for (const [index, [what, text, reason]] of wrong.entries()) {
    test(`that ${what} is refused with one line`, async () => {
      const name = await aConfig(`wrong-${index}.ts`, text)
      await assert.rejects(loadConfig(['--config', name], {}, folder), (error: Error) => {
        assert.ok(wrongConfigFile.is(error))
        assert.match(error.message, reason)
        assert.ok(error.message.includes(join(folder, name)))
        assert.ok(!error.message.includes('\n'))
        return true
      })
    })
  }

  const pluginFlaws: readonly [what: string, file: string, text: string, place: string, reason: string][] = [
    ['of syntax in TypeScript', 'flaw-1.ts', 'const name: string = "p"\nexport default { name,, }', '2:23', 'SyntaxError'],
    ['of syntax in JavaScript', 'flaw-2.js', 'const name = "p"\nexport default { name,, }', '2:23', 'SyntaxError'],
    ['when it runs', 'flaw-3.ts', '\nconst x: { y?: object[] } = {}\nexport default x.y.map(String)', '3:20', 'TypeError'],
    ['in a name of ours', 'flaw-4.ts', "import { defineShema } from 'quire'\nexport default defineShema", '1:10', 'SyntaxError'],
  ]
  for (const [what, file, text, place, reason] of pluginFlaws) {
    test(`is refused with the place of a mistake ${what} in a plugin`, async () => {
      await aConfig('package.json', '{ "type": "module" }')
      await aConfig(file, text)
      const name = await aConfig(`of-${file.replace('.js', '.ts')}`, `import p from './${file}'\nexport default { plugins: [p] }`)
      await assert.rejects(loadConfig(['--config', name], {}, folder, shareOwnModules), (error: Error) => {
        assert.ok(error.message.includes(`${join(folder, file)}:${place}: ${reason}`), error.message)
        assert.ok(!error.message.includes('\n'))
        return true
      })
    })
  }

  test('that was asked for must exist', async () => {
    await assert.rejects(loadConfig(['--config', 'absent.ts'], {}, folder), /absent\.ts: there is no such file/)
  })
})
