import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { onEachServer } from '../support/servers.ts'

const secret = 's3cret'
let counted = 0

/** The headers of a portal that vouches for a user. */
function vouching(user: string, { at = Date.now() as number | string, by = secret, algorithm = 'sha256' } = {}) {
  counted += 1
  const random = `random ${counted}`
  const digest = hash(algorithm, `${at}:${random}:${by}:${user}`, 'base64')
  return { NX_TS: String(at), NX_RD: random, NX_USER: user, NX_TOKEN: digest }
}

const chain = ['PORTAL_AUTH', 'AUTOMATION_BASIC_AUTH', 'TOKEN_AUTH']
const settings = {
  portalSecret: secret,
  portalDigestAlgorithm: 'SHA-256',
  portalMaxAge: '60',
  authChainRestapi: chain,
  authChainAutomation: chain,
}

onEachServer(
  'security 2.8 a portal',
  (server) => {
    before(() => server.addUser('alice', ['members']))
    const get = (headers: { [name: string]: string }) => fetch(new URL('api/v1/me', server.url), { headers })
    const statusOf = async (headers: { [name: string]: string }) => (await get(headers)).status

    test('lets in for whom it vouches', async () => {
      const answer = await get(vouching('alice'))
      assert.equal(answer.status, 200)
      assert.equal(((await answer.json()) as { id: string }).id, 'alice')
    })
    test('proves it once: what was overheard lets nobody in', async () => {
      const headers = vouching('alice')
      assert.deepEqual([await statusOf(headers), await statusOf(headers), await statusOf(headers)], [200, 401, 401])
      const many = vouching('alice')
      const statuses = await Promise.all(Array.from({ length: 6 }, () => statusOf(many)))
      assert.deepEqual(statuses.toSorted(), [200, 401, 401, 401, 401, 401])
    })
    const refused: { readonly [what: string]: () => { [name: string]: string } } = {
      'with another secret': () => vouching('alice', { by: 'guessed' }),
      'with another digest': () => vouching('alice', { algorithm: 'md5' }),
      'longer ago than it may': () => vouching('alice', { at: Date.now() - 62_000 }),
      'from the future': () => vouching('alice', { at: Date.now() + 310_000 }),
      'at no time': () => vouching('alice', { at: 'now' }),
      'for nobody': () => vouching('nobody'),
      'for the internal user': () => vouching('system'),
      'for another than it says': () => ({ ...vouching('alice'), NX_USER: 'Administrator' }),
    }
    for (const [what, headers] of Object.entries(refused)) {
      test(`lets nobody in ${what}`, async () => assert.equal(await statusOf(headers()), 401))
    }
    test('is not asked where one of its headers is missing', async () => {
      for (const missing of ['NX_TS', 'NX_RD', 'NX_USER', 'NX_TOKEN']) {
        const { [missing]: _, ...headers } = vouching('alice') as { [name: string]: string }
        assert.equal(await statusOf(headers), 401)
        const authorization = `Basic ${Buffer.from('alice:alice').toString('base64')}`
        assert.equal(await statusOf({ ...headers, authorization }), 200)
      }
    })
    test('a moment ahead of us is believed', async () =>
      assert.equal(await statusOf(vouching('alice', { at: Date.now() + 200_000 })), 200))
  },
  { settings },
)

describe('security 2.8 the portal', () => {
  test('is not asked unless a chain names it', async (context) => {
    const server = await startTestServer({ settings: { portalSecret: secret, portalDigestAlgorithm: 'SHA-256' } })
    context.after(() => server.stop())
    assert.equal((await fetch(new URL('api/v1/me', server.url), { headers: vouching('Administrator') })).status, 401)
  })
  test('with a digest of MD5, and the same proof for several requests, is for those who say so', async (context) => {
    const server = await startTestServer({
      settings: { ...settings, portalDigestAlgorithm: 'MD5', portalAllowsReplay: true },
    })
    context.after(() => server.stop())
    const headers = vouching('Administrator', { algorithm: 'md5' })
    for (let count = 0; count < 2; count += 1)
      assert.equal((await fetch(new URL('api/v1/me', server.url), { headers })).status, 200)
  })
  for (const portalSecret of [undefined, '', '  ']) {
    test(`keeps the server from starting with the secret '${portalSecret}'`, async () => {
      const { portalSecret: _, ...others } = settings
      const told = portalSecret === undefined ? others : { ...others, portalSecret }
      await assert.rejects(startTestServer({ settings: told }), { message: /names PORTAL_AUTH, and there is no portalSecret/ })
    })
  }
})
