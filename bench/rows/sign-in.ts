import { signJwt } from '../../src/features/jwt/jwt.ts'
import { answerTo, type Call, headersOf, type Target } from '../http/call.ts'
import { reader } from '../load/people.ts'
import { idOf, someReadableFiles } from '../load/tree.ts'
import { benchJwtSecret } from '../quire.config.ts'
import { answeringFromCache, takingTurns } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

const filesInUse = 2_000

type Credentials = (target: Target) => Promise<NonNullable<Call['credentials']>>

/** Here the other contender is the same server, asked with a password: whatever opens the door must cost no more. */
function signingIn(name: string, title: string, credentialsAt: Credentials): RateRow {
  const callFor = (file: number): Call => ({
    method: 'GET',
    path: `/api/v1/id/${idOf('file', file)}`,
    user: reader.name,
    headers: { properties: '*' },
  })
  return {
    name,
    title: `GET /id/{id} ${title}, beside Basic`,
    leastShare: 0.9,
    async prepare({ files, server }) {
      const calls = someReadableFiles(files, filesInUse).map(callFor)
      const credentials = await credentialsAt(server.target)
      const bearing = calls.map((call) => ({ ...call, credentials }))
      const [first] = bearing
      if (first !== undefined) await answerTo(first, server.target)
      return {
        quire: answeringFromCache(server, takingTurns(bearing), calls.length),
        bare: answeringFromCache(server, takingTurns(calls), calls.length),
      }
    },
  }
}

async function acquireToken({ host, port }: Target): Promise<string> {
  const call: Call = { method: 'POST', path: '/api/v1/token?application=bench&deviceId=d&permission=r', user: reader.name }
  const response = await fetch(`http://${host}:${port}${call.path}`, { method: call.method, headers: headersOf(call) })
  if (response.status !== 201) throw new Error(`No token: ${response.status} ${await response.text()}`)
  return response.text()
}

export const signInRows: readonly RateRow[] = [
  signingIn('read-by-token', 'with a token', async (target) => ({ 'x-authentication-token': await acquireToken(target) })),
  signingIn('read-by-jwt', 'with a JSON web token', async () => {
    const rules = { secret: benchJwtSecret, issuer: 'platform' }
    const token = await signJwt(rules, { subject: reader.name, expires: 4_102_444_800, others: {} })
    return { authorization: `Bearer ${token}` }
  }),
]
