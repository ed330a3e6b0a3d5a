export * from './library'
