import { isRegularExpression } from '../../base/regular-expression.ts'
import { defineSettings } from '../../settings/define-settings.ts'

/** What accounts may be, and how they are found (contract: people 9). */
export const accountSettings = defineSettings({
  userPasswordPattern: {
    type: 'string',
    pattern: { matches: { test: isRegularExpression }, expected: 'a regular expression' },
    help: 'A regular expression that new passwords must hold a match of',
  },
  usermanagerCheckPassword: {
    type: 'boolean',
    default: true,
    property: 'platform.usermanager.check.password',
    help: 'Hold new passwords against the pattern',
  },
  usermanagerSearchEscapeCompat: {
    type: 'boolean',
    default: true,
    property: 'platform.usermanager.search.escape.compat',
    help: 'Let % and _ stand for other characters when users and groups are searched',
  },
  usermanagerResolverFetchReferences: {
    type: 'boolean',
    default: true,
    property: 'platform.usermanager.resolver.fetchReferences',
    help: 'Show the groups of users that properties of documents refer to',
  },
  userSearchLimit: {
    type: 'integer',
    default: 50,
    min: 0,
    help: 'Most users that one search may find before it asks for a narrower term; 0 is no limit',
  },
})
