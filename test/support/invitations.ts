import assert from 'node:assert/strict'
import type { DocumentEvent, ServerEvent } from '../../src/core/session.ts'
import { type InvitationOptions, invitationToSend, inviteUser } from '../../src/features/user-invitations/index.ts'
import { definePlugin, type Plugin } from '../../src/plugin/define-plugin.ts'
import type { TestServer } from '../../src/testing.ts'

export const configuration = 'default_registration'
export const formPath = 'site/userInvitation/validate'

/** Gets the links that people would be mailed, and hears of what happens to invitations. */
export interface Mailbox {
  readonly plugin: Plugin
  readonly links: ServerEvent[]
  readonly events: DocumentEvent[]
  /** The next link makes the request fail. */
  failNext(): void
}

export function createMailbox(): Mailbox {
  const links: ServerEvent[] = []
  const events: DocumentEvent[] = []
  let isFailing = false
  const plugin = definePlugin({
    name: 'mailbox',
    serverListeners: [
      {
        name: 'mailbox',
        events: [invitationToSend],
        handle(event) {
          links.push(event)
          const fails = isFailing
          isFailing = false
          if (fails) throw new Error('no mail today')
        },
      },
    ],
    listeners: [
      {
        name: 'invitations',
        when: 'inline',
        events: ['invitationSubmitted', 'invitationAccepted', 'invitationRejected', 'invitationValidated'],
        handle: (event) => void events.push(event),
      },
    ],
  })
  return {
    plugin,
    links,
    events,
    failNext() {
      isFailing = true
    },
  }
}

/** Who is to be invited, as the operation makes it of the `user` entity. */
export interface Invited {
  readonly name?: string
  readonly groups?: readonly string[]
  readonly properties?: { readonly [field: string]: string }
}

export function invite(
  server: TestServer,
  inviter: string,
  { name, groups, properties }: Invited,
  options: InvitationOptions = {},
): Promise<string> {
  const email = name === undefined ? {} : { email: `${name}@x.org` }
  const change = { properties: { ...email, ...properties }, ...(groups !== undefined && { groups }) }
  return server.inSession(inviter, (session) => inviteUser(session, server.services, { name, change }, options))
}

/** Invites somebody and gives the path of the link that they are sent. */
export async function inviteForLink(
  server: TestServer,
  mailbox: Mailbox,
  invited: Invited,
  inviter = 'Administrator',
): Promise<string> {
  await invite(server, inviter, invited)
  const path = mailbox.links.at(-1)?.properties['path']
  assert.ok(typeof path === 'string')
  return path
}

export const keyIn = (path: string) => path.slice(path.lastIndexOf('/') + 1)

type Fields = { readonly [name: string]: string }

export function aForm(path: string, password: string, more: Fields = {}): Fields {
  return { RequestId: keyIn(path), ConfigurationName: configuration, Password: password, PasswordConfirmation: password, ...more }
}

export interface PageAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** As a browser that is signed in nowhere sends it. */
export function sendForm(server: TestServer, fields: Fields, headers: Fields = {}): Promise<PageAnswer> {
  return sendBody(server, new URLSearchParams(fields).toString(), { accept: 'text/html,*/*;q=0.8', ...headers })
}

export async function sendBody(server: TestServer, body: string | Uint8Array, headers: Fields): Promise<PageAnswer> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(new URL(formPath, server.url), {
    method: 'POST',
    body,
    headers: { ...type, ...headers },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export async function openPage(server: TestServer, path: string, headers: Fields = { accept: 'text/html' }): Promise<PageAnswer> {
  const response = await fetch(new URL(path, server.url), { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
