import { defineSettings } from './define-settings.ts'

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
  resetCreatorOnCopy: {
    type: 'boolean',
    default: false,
    property: 'platform.dclistener.reset-creator-on-copy',
    help: 'Make whoever copies a document its creator',
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
})
