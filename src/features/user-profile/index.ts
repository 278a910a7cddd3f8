import { memoised } from '../../base/cache/memo.ts'
import type { Session } from '../../core/session.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import type { RenderContext } from '../../rest/render/rendering.ts'
import { profileEnricher } from './profile-enricher.ts'
import { profileFacet, profileSchema, profileType } from './profile-model.ts'
import { profileRoute } from './profile-routes.ts'
import { profileSettings } from './settings.ts'
import { findUserProfile } from './user-profile.ts'

/** What was found out for a request: a list may have thousands of labels to translate. */
const foundFor = memoised((_: RenderContext['request']): { locales?: Promise<readonly string[]> } => ({}))

/** The languages to show texts in, best first: those of the request or, where it names none, that of the caller's profile. */
export function localesFor(context: RenderContext): Promise<readonly string[]> {
  const found = foundFor(context.request)
  found.locales ??= context.locales.length > 0 ? Promise.resolve(context.locales) : localesOfProfile(context)
  return found.locales
}

async function localesOfProfile({ session }: RenderContext): Promise<readonly string[]> {
  const locale = await findUserLocale(session, session.principal.name)
  return locale === undefined ? [] : [locale]
}

/** The language that a user reads (`fr-CA`), as far as the profile says and the session's principal may read it. */
export async function findUserLocale(session: Session, user: string): Promise<string | undefined> {
  const profile = await findUserProfile(session, user)
  const locale = profile?.properties['userprofile:locale']
  return typeof locale === 'string' && locale !== '' ? locale.replaceAll('_', '-') : undefined
}

export { getOrCreateUserProfile } from './user-profile.ts'

/** What users tell about themselves: a picture, a telephone number, the language they read. */
export default definePlugin({
  name: 'user-profile',
  requires: ['content-model', 'user-workspaces'],
  schemas: [profileSchema],
  facets: [profileFacet],
  documentTypes: [profileType],
  settings: profileSettings,
  routes: [profileRoute],
  contribute: ({ userprofileEnricherCompatibility }) => ({ enrichers: [profileEnricher(userprofileEnricherCompatibility)] }),
})
