"""Python source: decoded, parsed once and kept, asked about; shapes found in it and filled anew."""
