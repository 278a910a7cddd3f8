import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSessionCookies } from './session-cookie.ts'

const session = { timeoutSeconds: 3600, sameSite: '' } as const
const cookies = createSessionCookies({ basePath: '/dms', session }, 'a secret')
const pairOf = (setCookie: string) => setCookie.split(';')[0]

describe('the session cookie', () => {
  test('is recognised by every process with the same secret', () => {
    const ticket = cookies.create(1000)
    const other = createSessionCookies({ basePath: '/dms', session }, 'a secret')
    assert.deepEqual(other.find(`theme=dark; ${pairOf(cookies.format(ticket, false))}`, 1001), ticket)
    assert.equal(other.csrfToken(ticket), cookies.csrfToken(ticket))
  })
  test('is refused when forged, with another secret, or idle for too long', () => {
    const sent = pairOf(cookies.format(cookies.create(1000), false)) ?? ''
    const stranger = createSessionCookies({ basePath: '', session }, 'another')
    assert.equal(cookies.find(sent.replace('=', '=x'), 1001), undefined)
    assert.equal(stranger.find(sent, 1001), undefined)
    assert.notEqual(cookies.find(sent, 1000 + 3600), undefined)
    assert.equal(cookies.find(sent, 1001 + 3600), undefined)
  })
  test('keeps its token when it is renewed in time', () => {
    const ticket = cookies.create(1000)
    assert.equal(cookies.isAgeing(ticket, 1100), false)
    assert.equal(cookies.isAgeing(ticket, 1400), true)
    assert.equal(cookies.csrfToken({ ...ticket, issuedAtSeconds: 1400 }), cookies.csrfToken(ticket))
  })
  test('gives each session its own token of forty letters and digits', () => {
    const token = cookies.csrfToken(cookies.create(1000))
    assert.match(token, /^[A-Za-z0-9]{40}$/)
    assert.notEqual(token, cookies.csrfToken(cookies.create(1000)))
  })
  test('is out of reach of scripts and limited to the context root', () => {
    assert.match(cookies.format(cookies.create(1000), false), /^JSESSIONID=[\w.-]+; Path=\/dms; HttpOnly$/)
  })
  test('is secure over TLS and whenever other sites may send it', () => {
    const anySite = createSessionCookies({ basePath: '', session: { ...session, sameSite: 'None' } }, 'a secret')
    assert.match(cookies.format(cookies.create(1000), true), /; Path=\/dms; HttpOnly; Secure$/)
    assert.match(anySite.format(cookies.create(1000), false), /; Path=\/; HttpOnly; Secure; SameSite=None$/)
  })
})
