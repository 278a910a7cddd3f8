import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { vendorIdentifiers } from '../../base/vendor.ts'
import type { CredentialRequest, SignInFailure } from '../../rest/authenticator.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { createFormAuthenticator } from './form-authenticator.ts'
import { signInSettings } from './settings.ts'

const base = 'https://dms.example.com/our/'
const values = readSettings([signInSettings], {})
const form = createFormAuthenticator({
  values,
  vendored: () => vendorIdentifiers('acme'),
  checkPassword: async (_request, _principals, { name }) => ({ kind: 'refused', name }),
})

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly fields?: { readonly [name: string]: string }
  readonly headers?: { readonly [name: string]: string }
}

function aRequest({ method = 'GET', path = '/nxfile/x', fields = {}, headers = {} }: Asked): CredentialRequest {
  const [serverPath = '', search = ''] = path.split('?')
  const cookies = new Map(headers['cookie']?.split('; ').map((pair) => pair.split('=') as [string, string]))
  return {
    ...{ method, serverPath, search, headers, baseUrl: base, basePath: '/our', connection: {}, clientAddress: '192.0.2.1' },
    query: new URLSearchParams(search),
    cookie: (name) => cookies.get(name),
    readForm: async () => new URLSearchParams(fields),
  }
}

async function promptOf(asked: Asked, failure: SignInFailure) {
  const prompt = await form.prompt?.(aRequest(asked), failure)
  return prompt?.kind === 'page' ? prompt.answer : undefined
}

async function parametersAfter(asked: Asked, failure: SignInFailure) {
  const answer = await promptOf(asked, failure)
  assert.equal(answer?.status, 302)
  const { origin, pathname, searchParams } = new URL(answer?.headers?.['Location'] ?? '')
  assert.equal(`${origin}${pathname}`, `${base}login.jsp`)
  return Object.fromEntries(searchParams)
}

const posted: Asked = { method: 'POST', path: '/startup', fields: { user_name: 'ann', user_password: 's3cret' } }

describe('the prompt of the form', () => {
  test('says that the directory of users is down', async () => {
    const parameters = await parametersAfter(posted, { kind: 'uncheckable' })
    assert.deepEqual(parameters, { user_name: 'ann', connectionFailed: 'true', loginFailed: 'true' })
  })

  test('sends nothing back that is too long for an address, nor more than a few fields', async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, 'x']))
    const fields = { user_name: 'ann', long: 'x'.repeat(5_000), ...many }
    const parameters = await parametersAfter({ ...posted, fields }, { kind: 'refused', name: 'ann' })
    assert.ok(Object.keys(parameters).length <= 21)
    assert.ok(!('long' in parameters))
  })

  test('never sends the password back, wherever it stood', async () => {
    const asked = { ...posted, path: '/startup?user_password=s3cret&csrf-token=t' }
    const parameters = await parametersAfter(asked, { kind: 'refused', name: 'ann' })
    assert.deepEqual(parameters, { user_name: 'ann', loginFailed: 'true' })
  })

  test('says how long to wait, with the status for it', async () => {
    const answer = await promptOf(posted, { kind: 'throttled', name: 'ann', retryAfterSeconds: 300 })
    assert.deepEqual([answer?.status, answer?.headers?.['Retry-After']], [429, '300'])
    assert.match(String(answer?.kind === 'text' && answer.text), /in 5 minutes/)
  })

  test('leaves those to others who sent other credentials', async () => {
    assert.equal(await promptOf({}, { kind: 'throttled', name: 'ann', retryAfterSeconds: 3 }), undefined)
    assert.equal(await promptOf({}, { kind: 'uncheckable' }), undefined)
    assert.equal(await promptOf({ headers: { accept: 'application/json' } }, { kind: 'missing' }), undefined)
  })

  test('spells its cookie as the deployment does', async () => {
    const answer = await promptOf({}, { kind: 'missing' })
    assert.equal(answer?.status, 401)
    assert.match(String(answer?.kind === 'text' && answer.text), /data-cookie="acme\.start\.url\.fragment"/)
  })

  test('tells whose session has ended', async () => {
    const cookie = `JSESSIONID=${'x'.repeat(43)}`
    const answer = await promptOf({ headers: { cookie } }, { kind: 'missing' })
    assert.match(String(answer?.kind === 'text' && answer.text), /nxtimeout=true/)
    const other = await promptOf({ headers: { cookie: 'JSESSIONID=a.b.c' } }, { kind: 'missing' })
    assert.doesNotMatch(String(other?.kind === 'text' && other.text), /nxtimeout/)
  })
})
