/**
 * Node's HTTP server. To import `node:http` is to name all of its exports, and one of them, the WebSocket client, makes Node load a
 * whole second HTTP client: a tenth of the time to start, for something that is not used here.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
