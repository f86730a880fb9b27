/** Of answers alone, whatever their length off the thread that decides blocks; requests are never inflated. */
export const COMPRESSION = {
  encodings: ['br', 'gzip'] as ('br' | 'gzip')[],
  threshold: 1_024,
  syncThreshold: 0,
  globalDecompression: false,
}
