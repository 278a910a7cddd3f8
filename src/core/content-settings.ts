import type { VendorIdentifiers } from '../base/vendor.ts'
import type { SettingsOf } from '../settings/define-settings.ts'
import { defineSettings } from '../settings/define-settings.ts'
import type { principalSettings } from './principals/principal-settings.ts'
import { recordCleanersGroup } from './record-cleaning.ts'
import type { ContentRules } from './session.ts'

/**
 * What documents may be and do. Each is also known by the property name that clients' documentation uses
 * (contract: core-model 21), written here in its neutral form.
 */
export const contentSettings = defineSettings({
  pathSegmentMaxSize: {
    type: 'integer',
    default: 24,
    min: 1,
    max: 255,
    property: 'platform.path.segment.maxsize',
    help: 'Longest name made from a title, in characters',
  },
  htmlMaxLength: {
    type: 'integer',
    default: 300_000,
    min: 1_000,
    help: 'Longest text that is shown as HTML, in characters beside its embedded images. It is cleaned when it is stored, and everybody waits meanwhile',
  },
  changeTokenEnabled: {
    type: 'boolean',
    default: true,
    property: 'platform.changetoken.enabled',
    help: 'Refuse a change that was made to an outdated document',
  },
  securityAllowNegativeAcl: {
    type: 'boolean',
    default: false,
    property: 'platform.security.allowNegativeACL',
    help: 'Let entries deny any permission to anybody, not only Everything to Everyone and Write',
  },
  securityLegacyAclOrder: {
    type: 'boolean',
    default: false,
    property: 'platform.security.acl.legacyBehavior',
    help: "Evaluate a document's local entries before those of its other lists",
  },
  automationAllowVirtualUser: {
    type: 'boolean',
    default: false,
    property: 'platform.automation.allowVirtualUser',
    help: 'Let rights be given to names that no user or group has',
  },
  proxyCreationRestricted: {
    type: 'boolean',
    default: true,
    property: 'org.platform.proxy.creation.restricted',
    help: 'Require Write on a live document, not only Read, to make another proxy to it, by copying one as well',
  },
  retentionComplianceEnabled: {
    type: 'boolean',
    default: false,
    property: 'platform.retention.compliance.enabled',
    help: 'Let nobody at all remove what is under retention or legal hold',
  },
  orphanVersionsCleanupCommitSize: {
    type: 'integer',
    default: 1000,
    min: 1,
    property: 'org.platform.orphanVersionsCleanup.commitSize',
    help: 'Versions of removed documents that are removed in one transaction',
  },
  backgroundMaxWaiting: {
    type: 'integer',
    default: 500,
    min: 1,
    help: 'Most bulk actions, and most asynchronous calls, of one person that may wait in the background',
  },
  backgroundBulkWorkers: {
    type: 'integer',
    default: 1,
    min: 1,
    max: 64,
    help: 'Bulk actions and clean-up that a process runs at once in a repository; what somebody waits for never waits for them',
  },
})

/** How much one value, one document and the documents of one answer may hold. */
export const valueSettings = defineSettings({
  answerMaxSize: {
    type: 'bytes',
    default: '20 MB',
    min: '1 MB',
    help: 'Largest answer with entities, about; files are not counted. The documents that are read for one page may hold twice as much',
  },
  listMaxItems: {
    type: 'integer',
    default: 5_000,
    min: 100,
    help: 'Most items in a list of a document',
  },
  propertyMaxCharacters: {
    type: 'integer',
    default: 2_000_000,
    min: 1_000,
    help: 'Most characters in a property of a document',
  },
  documentMaxCharacters: {
    type: 'integer',
    default: 5_000_000,
    min: 1_000,
    help: 'Most characters in all properties of a document together',
  },
  documentMaxValues: {
    type: 'integer',
    default: 50_000,
    min: 1_000,
    help: 'Most values in all properties of a document together, items of lists and parts included',
  },
})

type ContentValues = SettingsOf<readonly [typeof contentSettings, typeof valueSettings, typeof principalSettings]>

export function contentRulesOf(settings: ContentValues, vendored: VendorIdentifiers): ContentRules {
  return {
    maxSegmentLength: settings.pathSegmentMaxSize,
    maxHtmlLength: settings.htmlMaxLength,
    changeTokens: settings.changeTokenEnabled,
    negativeEntries: settings.securityAllowNegativeAcl,
    localAclFirst: settings.securityLegacyAclOrder,
    unknownNames: settings.automationAllowVirtualUser,
    administratorsGroups: settings.administratorsGroups,
    restrictedProxies: settings.proxyCreationRestricted,
    strictRetention: settings.retentionComplianceEnabled,
    recordCleaners: vendored(recordCleanersGroup),
    // Of what documents hold an answer mostly shows a part.
    maxListedBytes: settings.answerMaxSize * 2,
    maxWaitingJobs: settings.backgroundMaxWaiting,
    orphanVersionsAtOnce: settings.orphanVersionsCleanupCommitSize,
    valueBounds: {
      maxListItems: settings.listMaxItems,
      maxPropertyCharacters: settings.propertyMaxCharacters,
      maxDocumentCharacters: settings.documentMaxCharacters,
      maxDocumentValues: settings.documentMaxValues,
    },
  }
}
