import assert from 'node:assert/strict'
import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { commandLineAt } from '../support/command-line.ts'
import { freshPlace } from '../support/fresh-place.ts'

async function folderWith(program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-programs-'))
  await writeFile(join(folder, program), '#!/bin/sh\necho "it is version 7.4.2 of it"\n')
  await chmod(join(folder, program), 0o755)
  return folder
}

test('quire doctor says what is there, what is missing, and what that costs', async () => {
  const folder = await folderWith('soffice')
  const { run, json } = commandLineAt(await freshPlace('sqlite'))
  const { code, printed } = await run(['doctor', '--conversion-path', folder])
  assert.equal(code, 0)
  assert.match(printed, new RegExp(`Found:\\n {2}soffice +7\\.4\\.2 +${folder}/soffice\\n\\nMissing:`))
  assert.match(printed, /ffmpeg .*videos, .* \(Debian: ffmpeg\)/)
  const { programs } = await json(['doctor', '--conversion-path', folder])
  const found = programs.filter(({ path }: { readonly path: string | null }) => path !== null)
  assert.deepEqual(
    found.map(({ program, version }: { readonly program: string; readonly version: string }) => [program, version]),
    [['soffice', '7.4.2']],
  )
})

test('capabilities tell clients the same, and the log says it once', async () => {
  const lines: string[] = []
  const log = { debug() {}, info: ({ event }: { readonly event: string }) => void lines.push(event), warn() {}, error() {} }
  const server = await startTestServer({ settings: { conversionPath: await folderWith('pdftohtml') }, log })
  after(() => server.stop())
  assert.equal(lines.includes('conversion.programs'), false, 'a start does not look for them')
  for (const _ of [1, 2]) {
    const { body } = await server.as('Administrator').get('/capabilities')
    assert.deepEqual([body.conversion.programs.pdftohtml, body.conversion.programs.soffice], [true, false])
  }
  assert.equal(lines.filter((event) => event === 'conversion.programs').length, 1)
})
