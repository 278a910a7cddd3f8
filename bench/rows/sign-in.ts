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

/** As a browser does, with the page to sign in on. */
async function openSession({ host, port }: Target): Promise<string> {
  const body = new URLSearchParams({ user_name: reader.name, user_password: reader.name })
  const response = await fetch(`http://${host}:${port}/startup`, { method: 'POST', body, redirect: 'manual' })
  const cookie = response.headers.getSetCookie().find((one) => one.startsWith('JSESSIONID='))
  if (cookie === undefined) throw new Error(`No session: ${response.status} ${await response.text()}`)
  return cookie.split(';', 1)[0] ?? ''
}

const client = { 'entity-type': 'oauth2Client', id: 'bench', name: 'Bench', redirectURIs: ['http://localhost/'], isEnabled: true }

/** A program is registered, let in by the reader, and given its token. */
async function fetchBearer({ host, port }: Target): Promise<string> {
  const base = `http://${host}:${port}`
  const body = JSON.stringify(client)
  const headers = headersOf({ method: 'POST', path: '', user: 'Administrator', body })
  // From an earlier run it may be there.
  await (await fetch(`${base}/api/v1/oauth2/client`, { method: 'POST', headers, body })).arrayBuffer()
  const granted = await fetch(`${base}/oauth2/authorize_submit?client_id=bench&response_type=code&grant_access=1`, {
    method: 'POST',
    headers: headersOf({ method: 'POST', path: '', user: reader.name }),
    redirect: 'manual',
  })
  const code = new URL(granted.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const form = new URLSearchParams({ grant_type: 'authorization_code', client_id: 'bench', code })
  const { access_token } = (await (await fetch(`${base}/oauth2/token`, { method: 'POST', body: form })).json()) as {
    readonly access_token: string
  }
  return access_token
}

export const signInRows: readonly RateRow[] = [
  signingIn('read-by-session', 'with a session', async (target) => ({ cookie: await openSession(target) })),
  signingIn('read-with-bearer', 'with an OAuth2 token', async (target) => ({
    authorization: `Bearer ${await fetchBearer(target)}`,
  })),
  signingIn('read-by-token', 'with a token', async (target) => ({ 'x-authentication-token': await acquireToken(target) })),
  signingIn('read-by-jwt', 'with a JSON web token', async () => {
    const rules = { secret: benchJwtSecret, issuer: 'platform' }
    const token = await signJwt(rules, { subject: reader.name, expires: 4_102_444_800, others: {} })
    return { authorization: `Bearer ${token}` }
  }),
]
