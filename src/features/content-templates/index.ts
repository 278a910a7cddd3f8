import type { ContentTemplate } from '../../core/initial-content.ts'
import { grant } from '../../model/rights/acl.ts'
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
]

/** The folders and rights that a new repository and a new domain start with. */
export default definePlugin({
  name: 'content-templates',
  requires: ['content-model', 'publishing', 'workflow'],
  initialContent: builtinTemplates,
})
