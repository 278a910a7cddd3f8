import { definePlugin } from '../../plugin/define-plugin.ts'
import { tokenDirectories, tokenSchemas } from './token-model.ts'

/** Tokens by which programs sign in for a user. */
export default definePlugin({ name: 'tokens', schemas: tokenSchemas, directories: tokenDirectories })
