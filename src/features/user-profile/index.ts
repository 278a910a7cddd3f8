import { definePlugin } from '../../plugin/define-plugin.ts'
import { profileEnricher } from './profile-enricher.ts'

export { localesFor } from './reader-locales.ts'
export { getOrCreateUserProfile } from './user-profile.ts'

/** What people tell about themselves: a picture, a telephone number, the language they read. */
export default definePlugin({ name: 'user-profile', requires: ['user-workspaces'], enrichers: [profileEnricher] })
