import PixelTypes
