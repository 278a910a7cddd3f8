import { definePlugin } from '../../plugin/define-plugin.ts'
import { followBelow } from './follow-below.ts'

/** Documents follow the transitions of the folder they are in. */
export default definePlugin({
  name: 'lifecycle',
  contribute: (_, services) => ({ listeners: [followBelow(services)] }),
})
