import { type Call, headersOf, type Target } from '../http/call.ts'
import { reader } from '../load/people.ts'
import { idOf, someReadableFiles } from '../load/tree.ts'
import { answeringFromCache, takingTurns } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

const filesInUse = 20_000

/** Not beside a bare program, but beside the same with a password: what it costs to know a program by its token. */
export const readWithBearer: RateRow = {
  name: 'read-with-bearer',
  title: 'GET /id/{id} with an OAuth2 token, beside Basic',
  leastShare: 0.9,
  async prepare({ files, server }) {
    const authorization = `Bearer ${await fetchToken(server.target)}`
    const calls = (headers: Call['headers']): readonly Call[] =>
      someReadableFiles(files, filesInUse).map((file) => ({
        method: 'GET',
        path: `/api/v1/id/${idOf('file', file)}`,
        user: reader.name,
        headers: { properties: '*', ...headers },
      }))
    const [byToken, byPassword] = [calls({ authorization }), calls({})]
    return {
      quire: answeringFromCache(server, takingTurns(byToken), byToken.length),
      bare: answeringFromCache(server, takingTurns(byPassword), byPassword.length),
    }
  },
}

const client = { 'entity-type': 'oauth2Client', id: 'bench', name: 'Bench', redirectURIs: ['http://localhost/'], isEnabled: true }

/** A program is registered, let in by the reader, and given its token. */
async function fetchToken({ host, port }: Target): Promise<string> {
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
