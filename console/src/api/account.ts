import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { documentKeys, queryDocuments, quote } from './documents.ts'
import type { components } from './entities.ts'
import type { Document, User } from './types.ts'

type Schemas = components['schemas']

export type Session = Schemas['Session']
export type Token = Schemas['Token']

const encoded = encodeURIComponent

/** What belongs to the account of whoever looks; nobody else changes it. */
export const accountKeys = { all: ['account'] as const }

export const sessionsQuery = queryOptions({
  queryKey: [...accountKeys.all, 'sessions'] as const,
  queryFn: async ({ signal }) => (await call<Schemas['Sessions']>('session', { signal })).entries,
})

/** @throws Problem */
export function endSession(id: string): Promise<void> {
  return call<void>(`session/${encoded(id)}`, { method: 'DELETE' })
}

/** All but the one that asks. @throws Problem */
export function endOtherSessions(): Promise<void> {
  return call<void>('session', { method: 'DELETE' })
}

export const tokensQuery = queryOptions({
  queryKey: [...accountKeys.all, 'tokens'] as const,
  queryFn: async ({ signal }) => (await call<Schemas['Tokens']>('token', { signal })).entries,
})

export interface NewToken {
  readonly application: string
  readonly deviceDescription: string
}

/** The token itself, which a program signs in with. @throws Problem */
export function createToken({ application, deviceDescription }: NewToken): Promise<string> {
  const query = {
    application,
    deviceId: crypto.randomUUID(),
    permission: 'rw',
    ...(deviceDescription !== '' && { deviceDescription }),
  }
  return call<string>('token', { method: 'POST', query, headers: { Accept: 'text/plain' } })
}

/** @throws Problem */
export function revokeToken(id: string): Promise<void> {
  return call<void>(`token/${encoded(id)}`, { method: 'DELETE' })
}

/** Programs that may act for the caller. */
export const grantsQuery = queryOptions({
  queryKey: [...accountKeys.all, 'grants'] as const,
  queryFn: async ({ signal }) => (await call<Schemas['StoredOAuth2Tokens']>('oauth2/token/client', { signal })).entries,
})

/** @throws Problem */
export function revokeGrant(clientId: string, user: string): Promise<void> {
  return call<void>(`oauth2/token/client/${encoded(clientId)}/user/${encoded(user)}`, { method: 'DELETE' })
}

/** Services that the server can call for the caller. */
export const providersQuery = queryOptions({
  queryKey: [...accountKeys.all, 'providers'] as const,
  queryFn: async ({ signal }) => (await call<Schemas['OAuth2ServiceProviders']>('oauth2/provider', { signal })).entries,
})

/** @throws Problem */
export function revokeProvider(serviceName: string, user: string): Promise<void> {
  return call<void>(`oauth2/token/provider/${encoded(serviceName)}/user/${encoded(user)}`, { method: 'DELETE' })
}

/** A wrong one is refused, and other browsers are signed out by a new one. @throws Problem */
export function changePassword(passwords: { readonly oldPassword: string; readonly newPassword: string }): Promise<User> {
  return call<User>('me/changepassword', { method: 'PUT', json: passwords, isProof: true })
}

/** What one tells of oneself is a document, made when it is first changed. @throws Problem */
export async function changeProfile(properties: { readonly [xpath: string]: unknown }): Promise<Document> {
  const { uid } = await call<Document>('me/profile', { method: 'POST' })
  return call<Document>(`id/${encoded(uid)}`, { method: 'PUT', json: { 'entity-type': 'document', uid, properties } })
}

/** @throws Problem */
export async function changePicture(picture: File): Promise<Document> {
  const { batchId } = await call<Schemas['UploadBatchId']>('upload', { method: 'POST' })
  const headers = { 'X-File-Name': encoded(picture.name), ...(picture.type !== '' && { 'X-File-Type': picture.type }) }
  await call(`upload/${encoded(batchId)}/0`, { method: 'POST', bytes: picture, headers })
  return changeProfile({ 'userprofile:avatar': { 'upload-batch': batchId, 'upload-fileId': '0' } })
}

/** What the caller asked to be told about. */
export function watchedQuery(user: string) {
  const nxql = `SELECT * FROM Document WHERE notif:notifications/*/subscribers/* = ${quote(`user:${user}`)} AND ecm:isVersion = 0 AND ecm:isTrashed = 0 ORDER BY dc:modified DESC`
  return queryOptions({
    queryKey: [...documentKeys.all, 'watched', user] as const,
    queryFn: ({ signal }) => queryDocuments(nxql, { pageSize: 50, signal }),
  })
}
