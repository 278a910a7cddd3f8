export default { name: 'no class at all' }
