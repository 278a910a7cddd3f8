import type { Capability } from '../../rest/services.ts'

const cluster: Capability = { name: 'cluster', describe: ({ facts }) => ({ ...facts.cluster }) }

const repository: Capability = {
  name: 'repository',
  describe: ({ repositories }) => Object.fromEntries([...repositories.keys()].map((name) => [name, { queryBlobKeys: false }])),
}

const server: Capability = {
  name: 'server',
  describe: ({ facts }) => ({
    distributionName: facts.distribution.name,
    distributionVersion: facts.distribution.version,
    distributionServer: facts.distribution.server,
  }),
}

export const serverCapabilities: readonly Capability[] = [cluster, repository, server]
