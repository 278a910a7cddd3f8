import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import openapiTypeScript, { astToString } from 'openapi-typescript'
import { startTestServer, type TestServer } from '../../src/testing.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
// Inside the project, where the packages of a client resolve.
const scratch = join(import.meta.dirname, '.generated')

describe('a client that was generated from the description of the API', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
    await mkdir(scratch, { recursive: true })
    const { body: description } = await server.as('Administrator').get('/openapi.json')
    await writeFile(join(scratch, 'api.ts'), astToString(await openapiTypeScript(description)))
    await writeFile(join(scratch, 'program.ts'), await readProgram())
    const config = { extends: '../../../tsconfig.json', compilerOptions: { lib: ['esnext', 'dom'] }, include: ['*.ts'] }
    await writeFile(join(scratch, 'tsconfig.json'), JSON.stringify(config))
  })
  after(async () => {
    await server.stop()
    await rm(scratch, { recursive: true, force: true })
  })

  test('knows the types of the calls that its guide shows', async () => {
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', scratch]).catch(({ stdout }: { stdout: string }) => assert.fail(stdout))
  })

  test('makes them as they stand', async () => {
    const { stdout } = await run(process.execPath, [join(scratch, 'program.ts'), server.url])
    assert.equal(stdout.trim(), 'done')
  })
})

async function readProgram(): Promise<string> {
  const guide = await readFile(join(root, 'docs/typed-client.md'), 'utf8')
  const program = [...guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code).join('\n')
  assert.ok((program.match(/client\.(GET|POST|PUT|DELETE)\(/g) ?? []).length >= 20)
  return program
}
