// `npm run console-types`: writes src/api/entities.ts, the types of what the server answers, from what it says of itself. Another file may be
// named instead.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { startTestServer } from '../src/testing.ts'

const server = await startTestServer()
const { body } = await server.as('Administrator').get('/openapi.json')
await server.stop()
// The console names the addresses it calls itself; of the document it needs what they answer.
const ast = await openapiTypescript(JSON.stringify({ ...(body as object), paths: {} }))
const [, , file = join(import.meta.dirname, 'src/api/entities.ts')] = process.argv
writeFileSync(file, `// Made by \`npm run console-types\`.\n${astToString(ast)}`)
