export { params } from './params.ts'
