from lxml import etree

from .segmentation import Segmentation

def send(root: etree._Element, target: Segmentation) -> bool: ...
