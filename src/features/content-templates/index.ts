import type { ContentTemplate } from '../../core/initial-content.ts'
import { deny, grant } from '../../model/rights/acl.ts'
import { everyone } from '../../model/rights/principal.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'

const builtinTemplates: readonly ContentTemplate[] = [
  {
    type: 'Root',
    aces: [grant('Administrator', 'Everything'), grant('members', 'Read')],
    children: [
      { name: 'default-domain', type: 'Domain', title: 'Domain' },
      { name: 'task-root', type: 'TaskRoot', title: 'Task' },
    ],
  },
  {
    type: 'Domain',
    aces: [],
    children: [
      { name: 'workspaces', type: 'WorkspaceRoot', title: 'Workspaces' },
      { name: 'sections', type: 'SectionRoot', title: 'Sections' },
      { name: 'templates', type: 'TemplateRoot', title: 'Templates' },
    ],
  },
  { type: 'SectionRoot', aces: [grant('members', 'CanAskForPublishing')], children: [] },
  {
    type: 'TaskRoot',
    aces: [grant('Administrator', 'Everything'), grant('administrators', 'Everything'), deny(everyone, 'Everything')],
    children: [],
  },
  { type: 'CommentRoot', aces: [grant('members', 'AddChildren'), grant('members', 'RemoveChildren')], children: [] },
]

/** The folders and rights that a new repository and a new domain start with. */
export default definePlugin({ name: 'content-templates', initialContent: builtinTemplates })
